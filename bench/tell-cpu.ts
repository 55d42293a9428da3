// Loaded into each program of the comparison: tells how much CPU it has used, in seconds, and how many bytes of its heap are in use.
process.on('message', (message) => {
  const { user, system } = process.cpuUsage();
  if (message === 'cpu') process.send?.((user + system) / 1e6);
  if (message === 'heap') {
    // Garbage is not in use; without --expose-gc it cannot be told apart.
    global.gc?.();
    process.send?.(process.memoryUsage().heapUsed);
  }
});
process.channel?.unref();
