import { type Block, readBlocks } from '../../documents/docs-blocks.ts'

/** Describes the installation whose files and commands tests use. */
const PAGE = 'docs/high-availability.md'

/** A configuration file as the page shows it: the block that begins with a comment of its path. */
export function documentedFile(path: string): string {
  return theOne(path, ({ text }) => text.split('\n')[0]?.replace(/^[#;] /, '') === path)
}

/** The statements that the page tells an operator to run. */
export function documentedStatements(): string {
  return theOne('SQL', ({ lang }) => lang === 'sql')
}

/** The commands of the block that begins so. */
export function documentedCommands(begin: string): string {
  return theOne(begin, ({ lang, text }) => lang === 'sh' && text.startsWith(begin))
}

/** The lines that Patroni's file gets under `bootstrap` to go back to a time. */
export function documentedRestore(): string {
  return theOne('a restore', ({ text }) => text.startsWith('method: restore\n'))
}

function theOne(what: string, isIt: (block: Block) => boolean): string {
  const found = readBlocks(PAGE).filter(isIt)
  if (found.length !== 1) throw new Error(`${PAGE} has ${found.length} blocks of ${what}`)
  return (found[0] as Block).text
}
