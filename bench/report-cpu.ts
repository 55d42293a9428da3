// Loaded into each measured program: answers how many CPU seconds it has used, and how many bytes of its heap are in use.
process.on('message', (message) => {
  const { user, system } = process.cpuUsage();
  if (message === 'cpu') process.send?.((user + system) / 1e6);
  if (message === 'heap') {
    // Garbage does not count as used, but without --expose-gc it cannot be excluded.
    global.gc?.();
    process.send?.(process.memoryUsage().heapUsed);
  }
});
process.channel?.unref();
