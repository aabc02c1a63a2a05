import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Terminal } from './output.ts'

/** A pipe that stays silent must not hold up a command. */
const INPUT_TIMEOUT_MS = 5_000
const MAX_FILE_BYTES = 64 * 1024 * 1024
const { stdin, stdout, stderr } = process

/** The terminal or the pipes that this process was started with. */
export function createTerminal(): Terminal {
  let hasWritten = false
  return {
    out: (text) => {
      // Who reads only the first lines (head) closes the pipe, which is no trouble.
      if (!hasWritten) stdout.on('error', (error) => endOnClosedPipe(error))
      hasWritten = true
      stdout.write(`${text}\n`)
    },
    err: (text) => stderr.write(`${text}\n`),
    readInput,
    readFile: (path) => readAll(path === '-' ? stdin : createReadStream(path)),
    ask: (question) => ask(question, stderr),
    askSecret: async (question) => {
      if (stdin.isTTY) stderr.write(question)
      const answer = await ask('', new Writable({ write: (_chunk, _encoding, done) => done() }))
      if (stdin.isTTY) stderr.write('\n')
      return answer
    },
    width: stdout.isTTY ? stdout.columns : null,
    // Knows NO_COLOR, FORCE_COLOR and terminals without colours.
    color: stdout.isTTY && stdout.hasColors(),
  }
}

function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}

/** What was piped in, without the line break at its end; null when there is nothing, or a person at the keys. */
async function readInput(): Promise<string | null> {
  if (stdin.isTTY) return null
  const reading = readAll(stdin).then((text) => text.replace(/\r?\n$/, '') || null)
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), INPUT_TIMEOUT_MS).unref())
  return Promise.race([reading.catch(() => null), late])
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > MAX_FILE_BYTES) throw new Error(`a file may have ${MAX_FILE_BYTES / 1024 / 1024} MiB`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The question goes where errors go: standard output belongs to the answer of a command. */
async function ask(question: string, output: NodeJS.WritableStream): Promise<string | null> {
  if (!stdin.isTTY) return null
  const lines = createInterface({ input: stdin, output, terminal: true })
  const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)))
  try {
    return await Promise.race([lines.question(question), ended])
  } finally {
    lines.close()
  }
}
