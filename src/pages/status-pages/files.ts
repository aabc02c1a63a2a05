import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { COMPONENT_STATES, type ComponentState } from '../../core/status-pages/component-state.ts'
import { ownFile } from '../../files/own-files.ts'
import { tabIcon } from './icons.ts'

/** A file that stands below every page; its address changes with its content, so it may be kept for a year. */
export type PageFile = { path: string; type: string; content: Buffer }

const read = (name: string) => readFileSync(ownFile(`src/pages/status-pages/${name}`))

const script = file('/assets/status-page.js', 'text/javascript; charset=utf-8', read('status-page.js'))
const icons = filesByState((state) =>
  file(`/assets/icon-${state}.svg`, 'image/svg+xml', Buffer.from(tabIcon(state))),
)
const cards = filesByState((state) =>
  file(`/assets/card-${state}.png`, 'image/png', read(`cards/${state}.png`)),
)

export const PAGE_FILES: readonly PageFile[] = [script, ...Object.values(icons), ...Object.values(cards)]

export const SCRIPT_PATH = addressOf(script)

export function tabIconPath(state: ComponentState): string {
  return addressOf(icons[state])
}

/** The picture of a link in messages and social networks: 1200 × 630. */
export function cardPath(state: ComponentState): string {
  return addressOf(cards[state])
}

function filesByState(fileOf: (state: ComponentState) => PageFile): Record<ComponentState, PageFile> {
  return Object.fromEntries(COMPONENT_STATES.map((state) => [state, fileOf(state)])) as Record<
    ComponentState,
    PageFile
  >
}

function file(path: string, type: string, content: Buffer): PageFile {
  return { path, type, content }
}

function addressOf({ path, content }: PageFile): string {
  return `${path}?v=${createHash('sha256').update(content).digest('base64url').slice(0, 8)}`
}
