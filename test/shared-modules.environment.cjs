const { default: NodeEnvironment } = require('jest-environment-node');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Test files have the worker's own globals, so that they can use modules that were loaded for another file. */
module.exports = class SharedModulesEnvironment extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    const { projectConfig } = config;
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern.dispose();
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.sharesSources = context.docblockPragmas['own-sources'] === undefined;
    // The only thing that a package keeps for the classes of the sources.
    this.metadata = globalThis.TypeGraphQLMetadataStorage;
    if (!this.sharesSources) delete globalThis.TypeGraphQLMetadataStorage;
  }

  async teardown() {
    if (!this.sharesSources) globalThis.TypeGraphQLMetadataStorage = this.metadata;
    this.moduleMocker.restoreAllMocks();
    await super.teardown();
  }
};
