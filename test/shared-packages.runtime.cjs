const { compileFunction, constants } = require('node:vm');
const { createRequire, isBuiltin } = require('node:module');
const { sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * Loads packages once for all test files of a worker, as Node does: to load them for each file took a quarter of the suite's
 * time. The project's own modules are still loaded for each file. Needs `shared-packages.environment.cjs`.
 */
module.exports = class SharedPackagesRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    // Where jest gives each file globals of its own, `instanceof Date` would be false in a package for a date of a test.
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
  }

  requireModule(from, name, options, isRequireActual) {
    if (name === undefined || options?.isInternalModule || isBuiltin(name))
      return super.requireModule(from, name, options, isRequireActual);
    const path = this._resolution.resolveCjs(from, name);
    return path.includes(PACKAGES)
      ? createRequire(from)(name)
      : super.requireModule(from, name, options, isRequireActual);
  }
};
