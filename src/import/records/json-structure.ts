const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [lineFeed, carriageReturn] = [0x0a, 0x0d];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Finds the end of one JSON value, which may come in several buffers, by its strings and brackets alone. It notices
 * within a few bytes if those do not match; a parser must check everything else.
 */
export class JsonStructure {
  private readonly containers: number[] = [];
  private inString = false;
  private escaped = false;
  /** The last byte that was neither white space nor inside a string; 0 before the first one. */
  private last = 0;

  /** The fault in the structure; null until `read` has found one. */
  problem: string | null = null;

  /** Continues at `from`. Returns the offset at which the value ends or breaks, or null if it goes on beyond `bytes`. */
  read(bytes: Buffer, from: number): number | null {
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.inString) {
        if (this.escaped) this.escaped = false;
        else if (byte === backslash) this.escaped = true;
        else if (byte === quote) this.inString = false;
        else if (byte === lineFeed || byte === carriageReturn)
          return this.break(at, 'a line ends inside a string');
      } else if (!isSpace(byte)) {
        const end = this.step(byte, at);
        if (end !== null) return end;
      }
    }
    return null;
  }

  private step(byte: number, at: number): number | null {
    const { containers, last } = this;
    const container = containers.at(-1);
    const isClosing = byte === closeObject || byte === closeArray;
    if (container === undefined && last !== 0 && (byte === comma || isClosing)) return at;
    const mayFollow = byte === comma || byte === colon || isClosing;
    if (!mayFollow && (last === quote || last === closeObject || last === closeArray)) {
      return this.break(at, 'text after a value');
    }
    this.last = byte;

    if (byte === quote) {
      this.inString = true;
    } else if (byte === openObject || byte === openArray) {
      if (container === openObject && last !== colon) return this.break(at, 'a bracket in place of a name');
      containers.push(byte);
    } else if (isClosing) {
      const opened = byte === closeObject ? openObject : openArray;
      if (container !== opened) return this.break(at, 'brackets that do not match');
      containers.pop();
      if (containers.length === 0) return at + 1;
    }
    return null;
  }

  private break(at: number, problem: string): number {
    this.problem = problem;
    return at;
  }
}

/** Whether JSON allows `byte` between its tokens. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === lineFeed || byte === carriageReturn || byte === 0x09;
}
