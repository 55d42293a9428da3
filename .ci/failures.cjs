const { appendFileSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

/**
 * A reporter of jest that writes the first failures to the file that FAILURES names, so that the end of a log shows them: also of a
 * run that was cut off. If Cassandra did not answer, it writes what the threads do that write to tables or change them.
 */
module.exports = class Failures {
  count = 0;
  dumped = false;

  onTestResult(_test, { testFilePath, testResults, failureMessage }) {
    const failed = testResults.filter(({ status }) => status === 'failed');
    const failures = failed.map(({ fullName, failureMessages }) => [fullName, failureMessages[0]]);
    if (failed.length === 0 && failureMessage) failures.push(['the suite', failureMessage]);
    for (const [name, message] of failures) {
      if (++this.count > 8) return;
      const lines = plain(message).trim().split('\n').slice(0, 3).join('\n    ');
      this.write(
        `FAILED ${testFilePath.slice(process.cwd().length + 1)}: ${name}\n    ${lines.slice(0, 400)}\n`,
      );
      if (this.dumped || !message.includes('did not reply')) continue;
      this.dumped = true;
      dumpThreads();
      setTimeout(() => this.write(threads()), 3000);
    }
  }

  write(text) {
    appendFileSync(process.env.FAILURES ?? '/dev/stderr', text);
  }
};

const folder = join(__dirname, '..', 'data', 'test', 'cassandra');

/** Java writes what its threads do to its output. */
function dumpThreads() {
  try {
    process.kill(JSON.parse(readFileSync(join(folder, 'node.json'), 'utf8')).pid, 'SIGQUIT');
  } catch {}
}

function threads() {
  try {
    const dump = readFileSync(join(folder, 'logs', 'output.log'), 'utf8');
    return dump
      .split('\n\n')
      .filter((thread) => /^"/m.test(thread) && /schema\.|truncate|commitlog|Flush|Memtable/i.test(thread))
      .filter((thread) => /at org\.apache\.cassandra\.(?!concurrent)/.test(thread))
      .map((thread) => {
        const [name = '', ...frames] = thread.split('\n');
        const own = frames.filter((frame) =>
          /at org\.apache\.cassandra\.(?!concurrent|transport)/.test(frame),
        );
        return [name.slice(0, 60), ...own.slice(0, 9).map((frame) => frame.trim().slice(24, 110))].join(
          '\n  ',
        );
      })
      .join('\n')
      .slice(0, 2500);
  } catch (error) {
    return `${error}\n`;
  }
}

/** Without the codes that colour a terminal. */
function plain(text) {
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}
