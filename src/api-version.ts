import { readFileSync } from 'node:fs'
import { ownFile } from './files/own-files.ts'

const DATED_HEADING = /^### (\d{4}-\d{2}-\d{2})$/m

/** The version of the API: the date of the newest changelog entry. */
export function readApiVersion(): string {
  const date = DATED_HEADING.exec(readFileSync(ownFile('CHANGELOG.md'), 'utf8'))?.[1]
  if (!date) throw new Error('CHANGELOG.md must have a heading such as "### 2026-11-21"')
  return date
}

export function readPackageVersion(): string {
  return JSON.parse(readFileSync(ownFile('package.json'), 'utf8')).version
}
