// PostGraphile 5 asks for Node 22; of what came after Node 20 it uses this one function (ECMAScript 2024).
if (!Reflect.has(Promise, 'withResolvers'))
  Reflect.set(Promise, 'withResolvers', () => {
    let resolve: unknown;
    let reject: unknown;
    const promise = new Promise((...both) => ([resolve, reject] = both));
    return { promise, resolve, reject };
  });
