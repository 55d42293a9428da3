// Loaded into each program of the comparison: tells how much CPU it has used, in seconds.
process.on('message', (message) => {
  const { user, system } = process.cpuUsage();
  if (message === 'cpu') process.send?.((user + system) / 1e6);
});
process.channel?.unref();
