const { constants, Script } = require('node:vm');
const { createRequire, isBuiltin } = require('node:module');
const { sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;

/** The project's modules as they were compiled for earlier test files of this worker, by their paths. */
const compiled = new Map();

/**
 * Compiles a module once for all test files of a worker. Each of them runs it anew, so that they share no state. A test that counts what code
 * does sets `COMPILE_ANEW` while it loads that code: V8 counts only in code that is compiled after it was told to.
 */
function compile(source, filename, parameters) {
  const kept = process.env.COMPILE_ANEW ? undefined : compiled.get(filename);
  const wrapper = `(function (${parameters.join(', ')}) {`;
  const script =
    kept?.source === source
      ? kept.script
      : new Script(`${wrapper}${source}\n})`, {
          filename,
          columnOffset: -wrapper.length,
          importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
        });
  compiled.set(filename, { source, script });
  return script.runInThisContext();
}

/**
 * Loads packages once for all test files of a worker, as Node does: to load them for each file took a quarter of the suite's
 * time. The project's own modules are still loaded for each file. Needs `shared-packages.environment.cjs`.
 */
module.exports = class SharedPackagesRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    // Where jest gives each file globals of its own, `instanceof Date` would be false in a package for a date of a test.
    executor.compile = (source, filename) => compile(source, filename, executor.injectedModuleParameters);
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
