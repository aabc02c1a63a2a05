import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { readRegularFile, sizeOf, UnfitFile } from '../files/regular-file.ts'
import type { Terminal } from './output.ts'

/** A silent pipe must not hold up a command. */
const INPUT_TIMEOUT_MS = 5_000
const MAX_FILE_BYTES = 16 * 1_024 * 1_024
const { stdin, stdout, stderr } = process

/** The terminal or the pipes of this process. */
export function createTerminal(): Terminal {
  let hasWritten = false
  return {
    out: (text) => {
      // A reader such as `head` closes the pipe early, which is not an error.
      if (!hasWritten) stdout.on('error', (error) => endOnClosedPipe(error))
      hasWritten = true
      stdout.write(`${text}\n`)
    },
    err: (text) => stderr.write(`${text}\n`),
    readInput,
    readFile: (path) => (path === '-' ? readAll(stdin) : readText(path)),
    ask: (question) => ask(question, stderr),
    askSecret: async (question) => {
      if (stdin.isTTY) stderr.write(question)
      const answer = await ask('', new Writable({ write: (_chunk, _encoding, done) => done() }))
      if (stdin.isTTY) stderr.write('\n')
      return answer
    },
    width: stdout.isTTY ? stdout.columns : null,
    // Respects NO_COLOR, FORCE_COLOR and terminals without colors.
    color: stdout.isTTY && stdout.hasColors(),
  }
}

function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}

/** Piped input without its final line break; null when there is none, or when a person is typing. */
async function readInput(): Promise<string | null> {
  if (stdin.isTTY) return null
  const reading = readAll(stdin).then((text) => text.replace(/\r?\n$/, '') || null)
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), INPUT_TIMEOUT_MS).unref())
  return Promise.race([reading.catch(() => null), late])
}

/** A pipe as a file, such as `<(…)` of a shell, is refused with the way that there is. */
async function readText(path: string): Promise<string> {
  const bytes = await readRegularFile(path, MAX_FILE_BYTES).catch((error) => {
    if (error instanceof UnfitFile) throw new Error(`${error.message}, or - for standard input`)
    throw error
  })
  return bytes.toString('utf8')
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > MAX_FILE_BYTES) throw new Error(`standard input may have ${sizeOf(MAX_FILE_BYTES)}`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Questions go to standard error: standard output is for the command's result. */
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
