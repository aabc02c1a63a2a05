import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of the first of these programs in `folders`; null when none is installed. */
export function findProgram(names: string[], folders = searchPath()): string | null {
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable) ?? null
}

export function searchPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
