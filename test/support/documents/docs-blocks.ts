import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/** A fenced block of a text: `text` as a reader copies it. */
export type Block = { file: string; line: number; lang: string; text: string }

/** The files of the documentation that the service shows, relative to the project: `docs/why` is for readers of the code. */
export function docsFiles(): string[] {
  const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.md') && !file.startsWith('why/'))
    .map((file) => `docs/${file}`)
    .sort()
}

/** The fenced blocks of a file, in order. */
export function readBlocks(file: string): Block[] {
  return blocksOf(file, readFileSync(join(ROOT, file), 'utf8'))
}

/** All blocks of the documentation in a language. */
export function blocksIn(lang: string): Block[] {
  return docsFiles()
    .flatMap(readBlocks)
    .filter((block) => block.lang === lang)
}

export function blocksOf(file: string, text: string): Block[] {
  return [...text.matchAll(/^```(\S*)[^\n]*\n(.*?)^```$/gms)].map(
    ({ index, 1: lang = '', 2: block = '' }) => ({
      file,
      line: text.slice(0, index).split('\n').length,
      lang,
      text: block,
    }),
  )
}

/** How a block is named in a table of tests. */
export function nameOf({ file, text }: Block): string {
  return `${file}: ${text.split('\n')[0]}`
}
