import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ownFile } from './files/own-files.ts'

const OWN = pathToFileURL(ownFile('src/')).href
const PLACE = /(file:\S+\.js):(\d+):(\d+)/g
/** A map takes 20 MB, so it is kept only while errors follow each other. Node would keep it (`--enable-source-maps`). */
const KEPT_MS = 10_000

let maps: Map<string, SourceMap> | null = null

/** The stack of an error with places in the sources, where a release has places in its bundles. */
export function withSourcePlaces(stack: string): string {
  return stack.replaceAll(PLACE, (place, bundle: string, line: string, column: string) => {
    if (!bundle.startsWith(OWN)) return place
    const origin = readMap(bundle).findOrigin(Number(line), Number(column))
    if (!('fileName' in origin)) return place
    return `${fileURLToPath(new URL(origin.fileName, bundle))}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

function readMap(bundle: string): SourceMap {
  if (maps === null) {
    maps = new Map()
    setTimeout(() => (maps = null), KEPT_MS).unref()
  }
  const map =
    maps.get(bundle) ?? new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${bundle}.map`), 'utf8')))
  maps.set(bundle, map)
  return map
}
