/** A module that `../build.mjs` bundles as a worker of its own; the import is the URL to start it from. */
declare module '*?worker&url' {
  const url: string;
  export default url;
}
