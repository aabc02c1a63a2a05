import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const COPIED = ['src', ...['data', 'forms', 'language', 'parts'].map((room) => `dashboard/${room}`)]

/** Copies the sources to a folder, to change them there. Paths begin with `src` or `dashboard`. */
export function copySources(folder: string) {
  for (const part of [...COPIED, 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  function insert(path: string, before: string, text: string) {
    const source = readFileSync(join(folder, path), 'utf8')
    if (source.split(before).length !== 2) throw new Error(`${path} has no place before ${before}`)
    write(path, source.replace(before, `${text}${before}`))
  }
  return { write, insert, load: (path: string) => import(join(folder, path)) }
}
