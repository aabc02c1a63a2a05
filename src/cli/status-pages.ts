import type { Command } from 'commander'
import type { Context } from './client/connect.ts'
import { type OutputOptions, print, withJson } from './output.ts'

export function addStatusPages(program: Command, { deployment, terminal }: Context): void {
  withJson(
    program
      .command('status')
      .description('status pages')
      .command('export')
      .description('write every public status page as files, for a web server elsewhere'),
  )
    .argument('<folder>', 'folder to write to; each page gets a folder in it')
    .action(async (folder: string, options: OutputOptions) => {
      const exported = await deployment.exportStatusPages(folder)
      const { pages, files, removed } = exported
      const plain = `${folder}: ${pages} pages, ${files} files written, ${removed.length} pages removed`
      print(terminal, options, exported, plain)
    })
}
