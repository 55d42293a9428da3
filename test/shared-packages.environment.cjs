const { default: NodeEnvironment } = require('jest-environment-node');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Test files have the worker's own globals, so that they can use packages that were loaded for another file. */
module.exports = class SharedPackagesEnvironment extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    const { projectConfig } = config;
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern.dispose();
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    // The only thing that a package keeps for the classes of one file.
    delete globalThis.TypeGraphQLMetadataStorage;
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    await super.teardown();
  }
};
