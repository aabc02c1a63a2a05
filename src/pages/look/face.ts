import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFile } from '../../files/own-files.ts'

/** The face of all pages: its rules of style, and the element that asks for its file before they are read. */
export type Face = { rules: string; preload: string }

/**
 * Reads them from the built dashboard, so that pages of the service and screens share one copy in the browser. Empty
 * where it is not built: then pages use the system's face.
 */
export function readFace(dist: string): Face {
  const page = read(join(dist, 'index.html'))
  const sheets = [...page.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)"/g)].map(([, path]) =>
    read(join(dist, path as string)),
  )
  const rules = sheets.flatMap((sheet) => sheet.match(/@font-face\s*\{[^}]*\}/g) ?? [])
  const [preload = ''] = page.match(/<link rel="preload"[^>]* as="font"[^>]*>/) ?? []
  return { rules: rules.join('\n'), preload }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

export const FACE = readFace(ownFile('dashboard/dist'))

/** Colors and the scale of type, which the dashboard imports, too. */
export const TOKENS = readFileSync(ownFile('src/pages/look/tokens.css'), 'utf8')

/** A sheet without what only its readers need. */
export function packed(sheet: string): string {
  return sheet
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .trim()
}
