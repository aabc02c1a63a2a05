import { shownLine } from '../../core/language/hidden-characters.ts'
import { type Said, said } from '../../core/language/said.ts'
import { MAX_TIMEOUT_SECONDS } from '../../core/monitors/monitor.ts'
import { isReservedHeader } from '../../core/monitors/request-headers.ts'
import { MAX_STEP_NAME, MAX_STEPS } from '../../core/monitors/steps/step-timing.ts'
import type { Outcome } from '../../core/moving-in/outcome.ts'
import { cut } from '../../core/text.ts'
import { createDraft, type Draft } from '../draft.ts'
import { type Fields, isFields, recordsOf, textOf } from '../fields.ts'
import { type Terms, WrongFile } from '../outcome.ts'
import { type PostmanRequest, readRequest } from './request.ts'
import { createSecrets, type Scope, type Secrets, UnfitRequest, variablesOf, writtenOf } from './variables.ts'

/** Collections have no interval. */
const INTERVAL_SECONDS = 300
/** Deeper folders are no work of people. */
const MAX_FOLDERS_DEEP = 20
/** Requests in Postman have no expectation but scripts; this is that of a step. */
const ACCEPTED = ['200-299']

/** Whether it is a collection of format 2, as Postman or its API gives it. */
export function isPostman(document: Fields): boolean {
  return isCollection(unwrapped(document)) || isEnvironment(document)
}

/** Imports collections of format 2.1, with the values of environments beside them. */
export function fromPostman(documents: unknown[], terms: Terms): Outcome {
  const given = documents.filter(isFields).map(unwrapped)
  const collections = given.filter(isCollection)
  if (collections.length === 0)
    throw new WrongFile(said('it is no collection of Postman: export it as Collection v2.1'))
  const environment = variablesOf(given.filter(isEnvironment).flatMap(({ values }) => recordsOf(values)))
  const draft = createDraft(terms)
  for (const collection of collections) {
    const info = isFields(collection.info) ? collection.info : {}
    const around = { scope: [environment], auth: undefined, depth: 0 }
    draftFolder(draft, collection, textOf(info.name) || 'collection', around)
  }
  return draft.outcome()
}

function unwrapped(document: Fields): Fields {
  return isFields(document.collection) ? document.collection : document
}

function isCollection({ info }: Fields): boolean {
  return isFields(info) && /\/collection\/v2\./.test(textOf(info.schema))
}

function isEnvironment(document: Fields): boolean {
  return '_postman_variable_scope' in document && Array.isArray(document.values)
}

type Place = { scope: Scope; auth: unknown; depth: number }

/** Its requests are a monitor, and so are those of each folder in it. */
function draftFolder(draft: Draft, folder: Fields, name: string, around: Place): void {
  if (around.depth > MAX_FOLDERS_DEEP) {
    draft.skip(
      said('folder {name}', { name }),
      said('is more than {max} folders deep', { max: MAX_FOLDERS_DEEP }),
    )
    return
  }
  const own = variablesOf(folder.variable)
  const place = {
    // An environment comes before the collection, and a folder before both.
    scope: around.depth === 0 ? [...around.scope, own] : [own, ...around.scope],
    auth: folder.auth ?? around.auth,
    depth: around.depth + 1,
  }
  if (hasScripts(folder)) draft.note(name, withoutScripts(name))
  const items = recordsOf(folder.item)
  draftRequests(
    draft,
    items.filter((item) => !isFolder(item)),
    name,
    place,
  )
  for (const item of items.filter(isFolder))
    draftFolder(draft, item, `${name} / ${textOf(item.name) || 'folder'}`, place)
}

function isFolder(item: Fields): boolean {
  return Array.isArray(item.item)
}

function hasScripts({ event }: Fields): boolean {
  return recordsOf(event).some(({ script, disabled }) => {
    const exec = isFields(script) ? script.exec : script
    const lines = Array.isArray(exec) ? exec : [exec]
    return disabled !== true && lines.some((line) => writtenOf(line).trim() !== '')
  })
}

function withoutScripts(name: string): Said {
  return said('is without the scripts of {name}: expectations and captures do here what they did', { name })
}

type Read = { item: Fields; name: string; request: PostmanRequest }

function draftRequests(draft: Draft, items: Fields[], folder: string, place: Place): void {
  const secrets = createSecrets()
  const read = items.flatMap((item) => readItem(draft, item, folder, place, secrets))
  const [only] = read
  if (only && read.length === 1) {
    // Without references, as it is no step.
    for (const one of readItem(draft, only.item, folder, place, null))
      finish(draft, draftOne(draft, one, `${folder} / ${one.name}`), [one])
    return
  }
  const parts = Math.ceil(read.length / MAX_STEPS)
  const size = Math.ceil(read.length / parts)
  for (let part = 0; part < parts; part++) {
    const taken = read.slice(part * size, (part + 1) * size)
    const name = parts === 1 ? folder : `${folder} ${part + 1}/${parts}`
    const drafted = draftSteps(draft, taken, name, secrets)
    finish(draft, drafted, taken)
    if (drafted !== null && parts > 1)
      draft.note(
        drafted,
        said('is a part of {name}, as a monitor has at most {max} steps: cookies hold within it', {
          ...{ name: folder, max: MAX_STEPS },
        }),
      )
  }
}

function readItem(draft: Draft, item: Fields, folder: string, place: Place, secrets: Secrets | null): Read[] {
  const name = textOf(item.name) || 'request'
  const scope = [variablesOf(item.variable), ...place.scope]
  try {
    return [{ item, name, request: readRequest(item.request, { scope, auth: place.auth, secrets }) }]
  } catch (error) {
    if (!(error instanceof UnfitRequest)) throw error
    draft.skip(said('request {name}', { name: `${folder} / ${name}` }), error.reason)
    return []
  }
}

function finish(draft: Draft, drafted: string | null, taken: Read[]): void {
  if (drafted === null) return
  for (const { item, name } of taken) {
    if (hasScripts(item)) draft.note(drafted, withoutScripts(name))
    if (isFields(item.protocolProfileBehavior) && Object.keys(item.protocolProfileBehavior).length > 0)
      draft.note(drafted, said('is without the settings of {name}: its own options hold', { name }))
  }
}

function draftOne(draft: Draft, { request }: Read, name: string): string | null {
  return draft.monitor({
    name,
    type: 'http',
    url: request.url,
    method: request.method,
    intervalSeconds: INTERVAL_SECONDS,
    acceptedCodes: ACCEPTED,
    ...(Object.keys(request.headers).length > 0 && { request_headers: request.headers }),
    request: { body: request.body },
  })
}

function draftSteps(draft: Draft, read: Read[], name: string, secrets: Secrets): string | null {
  const notes: Said[] = []
  const names = new Set<string>()
  const steps = read.map((one) => stepOf(one, names, notes))
  const url = URL.parse(steps[0]?.url ?? '')
  if (!url || steps[0]?.url.split('/')[2]?.includes('{{')) {
    draft.skip(name, said('begins at an address that only a secret says'))
    return null
  }
  const texts = steps.flatMap(({ url, headers, body = '' }) => [url, ...Object.values(headers ?? {}), body])
  const { values, unset } = secrets.usedIn(texts)
  const drafted = draft.monitor({
    name,
    type: 'steps',
    url: `${url.origin}/`,
    intervalSeconds: INTERVAL_SECONDS,
    timeoutSeconds: MAX_TIMEOUT_SECONDS,
    is_active: unset.length === 0,
    // The rules of the monitor judge them, as those that people send.
    own: { steps: steps as never, ...(Object.keys(values).length > 0 && { secrets: values }) },
  })
  if (drafted === null) return null
  if (unset.length > 0)
    notes.push(
      said('is paused: set its secrets {names}, whose values the file does not hold, and resume it', {
        names: unset.join(', '),
      }),
    )
  for (const note of notes) draft.note(drafted, note)
  return drafted
}

type Step = { name: string; method: string; url: string; headers?: Record<string, string>; body?: string }

function stepOf({ name: wanted, request }: Read, names: Set<string>, notes: Said[]): Step {
  const { method, url, headers, body } = request
  const shown = shownLine(wanted)
  let name = cut(shown, MAX_STEP_NAME)
  for (let count = 2; names.has(name); count++) name = `${cut(shown, MAX_STEP_NAME - 3)} ${count}`
  names.add(name)
  const reserved = Object.keys(headers).filter((header) => isReservedHeader(header))
  if (reserved.length > 0)
    notes.push(
      said('is checked without its header {names}: the check sets it itself', { names: reserved.join(', ') }),
    )
  const kept = Object.entries(headers).filter(([header]) => !isReservedHeader(header))
  return {
    ...{ name, method, url },
    ...(kept.length > 0 && { headers: Object.fromEntries(kept) }),
    ...(body !== '' && { body }),
  }
}
