const { constants, Script } = require('node:vm');
const { createRequire, isBuiltin } = require('node:module');
const { join, sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;
const SOURCES = join(__dirname, '..', 'src') + sep;
/** An example declares fields, which the kit then knows, too. */
const EXAMPLE = /[\\/]examples[\\/][^\\/]+[\\/]src[\\/]/;

/** The runtime of the test file that runs, whose transform compiles the sources. */
let current;
/** The files of the source maps of the sources, by their paths. */
const sourceMaps = new Map();

require.extensions['.ts'] = (module, filename) => {
  module._compile(current.transformCache.transform(filename), filename);
  sourceMaps.set(filename, current.getSourceMaps().get(filename));
};

/** Where jest gives each file globals of its own, `instanceof Date` would be false in a package for a date of a test. */
function compile(source, filename, parameters) {
  const wrapper = `(function (${parameters.join(', ')}) {`;
  const script = new Script(`${wrapper}${source}\n})`, {
    filename,
    columnOffset: -wrapper.length,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return script.runInThisContext();
}

/**
 * Loads packages and `src` once for all test files of a worker, as Node does: to load them for each file took a third of the suite's time.
 * The tests' own modules are loaded for each file; those of a file with `@own-sources` in its first comment get a `src` of their own, too.
 * Needs `shared-modules.environment.cjs`.
 */
module.exports = class SharedModulesRuntime extends Runtime {
  constructor(config, environment, ...args) {
    super(config, environment, ...args);
    const { executor } = this;
    executor.compile = (source, filename) => compile(source, filename, executor.injectedModuleParameters);
    this.sharesSources = environment.sharesSources;
    current = this;
    for (const [filename, map] of sourceMaps) this.getSourceMaps().set(filename, map);
  }

  requireModule(from, name, options, isRequireActual) {
    if (name === undefined || options?.isInternalModule || isBuiltin(name))
      return super.requireModule(from, name, options, isRequireActual);
    const path = this._resolution.resolveCjs(from, name);
    if (path.includes(PACKAGES)) return createRequire(from)(name);
    if (this.sharesSources && path.startsWith(SOURCES)) return require(path);
    if (this.sharesSources && EXAMPLE.test(path))
      throw new Error(`${path} changes what all test files share: ${this._testPath} must say @own-sources`);
    return super.requireModule(from, name, options, isRequireActual);
  }
};
