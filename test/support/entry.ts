import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The program that is run: the sources, unless `TEST_ENTRY` names a release, as benches and `npm run test:long` do. */
export const ENTRY = process.env.TEST_ENTRY ?? join(ROOT, 'src/main.ts')

/** The flags of Node with which the launcher starts it. */
export const FLAGS: string[] = JSON.parse(readFileSync(join(ROOT, 'bin/node-flags.json'), 'utf8'))
