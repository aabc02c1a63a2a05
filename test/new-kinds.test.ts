import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { INCIDENTS, SUBJECTS } from '../src/contract/subjects.ts'
import { english } from '../src/core/language/said.ts'
import { KIND_ENTRIES, SUBJECT_KINDS } from '../src/core/maintenance/subject-kind.ts'
import { kindLists } from './support/documents/kind-lists.ts'
import { addInventedKind } from './support/invented/kind.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '..')

const COMMENTS = /\/\*.*?\*\/|^ *\/\/[^\n]*/gms
/** Comments about the kinds themselves. */
const IN_COMMENTS = ['src/postgres/tables/subjects.ts: monitors, servers and sites']

/** The entry of each layer. */
const ENTRIES = [
  'src/core/maintenance/subject-kind.ts',
  'src/contract/subjects.ts',
  'src/store/stored-kinds.ts',
  'dashboard/data/subjects/shown-kinds.ts',
]
/** Places that list the kinds beside the entries, and why. A new kind goes there, too. */
const BESIDE = {
  'dashboard/screens/incidents/incidents-line.tsx': 'an incident of each kind is about something else',
  'src/core/live-event.ts': 'each kind has news of its own',
  'src/engine/alerting/end-flap.ts': 'the state of each kind is held in another way',
  'src/engine/recording/recorders.ts': 'each kind has a judgement of its own',
  'src/operations/overview/overview.ts': 'what is in trouble of each kind is read apart',
  'src/core/teams/audit-kind.ts': 'kinds of records in a log, of which these are three',
  'src/core/teams/audit-values.ts': 'the fields of each record are its own',
  'src/store/incidents/incident-rows.ts': 'tables of different shape',
  'src/store/incidents/recording.ts': 'tables of different shape',
  'dashboard/app/finder/use-deeds.ts': 'a monitor is put under maintenance, and no other kind',
  'dashboard/data/audit-words.ts': 'operations that only one kind has',
  'dashboard/data/news.ts': 'answers of operations that only one kind has',
  'dashboard/screens/reports/subjects-dialog.tsx': 'a refusal at the field of the first kind',
  'src/core/alerting/alert.ts': 'an alert of each kind says something else',
  'src/core/reports/csv-list.ts': 'files of lists, which have columns of their own',
  'src/core/teams/plan.ts': 'each kind has limits of its own',
  'src/operations/implementation.ts': 'records in paths, of which these are three',
  'src/operations/implementations.ts': 'rooms, of which these are three',
  'src/operations/incidents/operations.ts': 'operations that only one kind has',
  'src/operations/monitors/team-metrics.ts': 'figures of each kind are read apart',
  'src/operations/run.ts': 'records in paths, of which these are three',
  'src/pages/docs/contents.ts': 'pages of the documentation',
  'src/postgres/next-id.ts': 'tables whose ids are taken beforehand',
  'src/postgres/tables/history.ts': 'the roll-ups of each kind go on by themselves',
  'src/postgres/tables/maintenance.ts': 'a list of what was covered, which no longer follows its subjects',
  'src/postgres/tables/reports.ts': 'a choice that is written and read as a whole',
  'src/store/alerting/flaps.ts': 'the state of each kind is held in another way',
  'src/store/history/history-progress.ts': 'the roll-ups of each kind go on by themselves',
  'src/store/history/retention.ts': 'tables of different shape',
  'src/store/maintenance/passing-turns.ts': 'the state of each kind is held in another way',
} as const

/** Places that ask whether a subject is one of these kinds, and why. Another kind does without what they do. */
const ASKED_FOR = {
  'dashboard/screens/incidents/subject-incident.tsx': 'figures around an incident are of servers',
  'dashboard/screens/overview/overview-figures.tsx': 'domains and certificates are of sites and monitors',
  'dashboard/screens/sites/expiries.tsx': 'the same',
} as const

/** Tables that are alike by name, or columns that name each kind, and why. */
const STORED_APART = {
  '*_state': 'a monitor and a server are judged by what only they have',
  'maintenance_occurrences *_ids': 'a list of what was covered, which no longer follows its subjects',
  'reports *_ids': 'a choice that is written and read as a whole',
} as const

/** The tables as the code knows them, with their columns. */
function readTables(): [table: string, columns: string[]][] {
  const folder = join(ROOT, 'src/postgres/tables')
  const code = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const tables = code.join('\n').matchAll(/^ {2}(\w+): [^\n{]*\{(.*\}$|[\s\S]*?^ {2}\})/gm)
  return [...tables].map(([, table = '', body = '']) => [table, body.match(/\w+(?=\??: )/g) ?? []])
}

/** The rests of names that two kinds at least have in common, such as `*_state`. */
function namedByKind(names: readonly string[]): string[] {
  const rests = new Map<string, Set<string>>()
  for (const name of names) {
    const [, kind, rest] = /^(monitor|server|site)(_.+)$/.exec(name) ?? []
    if (kind && rest) rests.set(rest, (rests.get(rest) ?? new Set()).add(kind))
  }
  return [...rests].filter(([, kinds]) => kinds.size > 1).map(([rest]) => `*${rest}`)
}

/** Code without its comments. */
const SOURCES = ['src', 'dashboard'].flatMap((place) =>
  readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('dist/'))
    .map((file) => {
      const path = join(place, file)
      return { path, code: readFileSync(join(ROOT, path), 'utf8').replaceAll(COMMENTS, '') }
    }),
)
/** A monitor is the subject that came first: many places tell it from all others. */
const ASKS_FOR_KIND = /[!=]== '(server|site)'/

const IMPORTS = /^import [^']*'[^']*'$/gm
/** Texts, which have a test of their own. */
const PROSE = /'[^'\n]* [^'\n]*'/g
/** A name of a kind by itself or in one of others: `sites`, `site_ids`, `getSite`, `kind="site"`, `(server|site)`. */
const NAMED = ['monitor', 'server', 'site'].map((kind) => {
  const capital = `${kind[0]?.toUpperCase()}${kind.slice(1)}`
  return new RegExp(`(?<![A-Za-z])${kind}s?(?![a-z])|[a-z]${capital}s?(?![a-z])`)
})

/** Names all three within a few lines, in any form but that of prose. */
function listsByHand(code: string): boolean {
  const lines = code.replaceAll(IMPORTS, '').replaceAll(PROSE, "''").split('\n')
  return lines.some((_, at) => {
    const few = lines.slice(at, at + 8).join('\n')
    return NAMED.every((name) => name.test(few))
  })
}

describe('kinds of subjects', () => {
  it('are listed in their entries, and in few places beside them', () => {
    const listing = SOURCES.filter(({ code }) => listsByHand(code)).map(({ path }) => path)
    assert.deepEqual(
      listing.filter((path) => !ENTRIES.includes(path)).sort(),
      Object.keys(BESIDE).sort(),
      'let a new place derive from the entry, by ofEachKind or ofEachField',
    )
  })

  it('are each a case, which the compiler asks for, where what is done is of a kind', () => {
    const asking = SOURCES.filter(({ code }) => ASKS_FOR_KIND.test(code)).map(({ path }) => path)
    assert.deepEqual(
      asking.sort(),
      Object.keys(ASKED_FOR).sort(),
      'use switch, or let it derive from the entry',
    )
  })

  it('share the tables and columns that refer to any of them', () => {
    const tables = readTables()
    assert.ok(tables.length > 80, `${tables.length} tables were read`)
    const columns = tables.flatMap(([table, names]) => namedByKind(names).map((name) => `${table} ${name}`))
    assert.deepEqual(
      [...namedByKind(tables.map(([table]) => table)), ...columns].sort(),
      Object.keys(STORED_APART).sort(),
      'refer to a subject by kind and id',
    )
  })

  it('are each named where they are listed', () => {
    for (const path of Object.keys(BESIDE)) {
      const code = readFileSync(join(ROOT, path), 'utf8')
      for (const kind of SUBJECT_KINDS) assert.match(code, new RegExp(kind, 'i'), `${path} lacks ${kind}`)
    }
  })

  it('have names, paths and letters of their own, by which links and addresses are told apart', () => {
    const called = [...Object.values(SUBJECTS), ...Object.values(INCIDENTS)]
    const letters = Object.values(KIND_ENTRIES).map(({ letter }) => letter)
    // Links of drills and of groups of alerts have these two.
    for (const own of [
      called.map(({ name }) => name),
      called.map(({ path }) => path),
      [...letters, 'd', 'g'],
    ]) {
      assert.deepEqual(own, [...new Set<string>(own)])
    }
  })

  it('are all named in texts that list them, and comments say subjects', () => {
    const sources = ['src', 'dashboard'].flatMap((place) =>
      readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('dist/'))
        .map((file) => ({ path: join(place, file), code: readFileSync(join(ROOT, place, file), 'utf8') })),
    )
    const texts = sources.flatMap(({ path, code }) =>
      kindLists(code.replaceAll(COMMENTS, ''), SUBJECT_KINDS).map((found) => ({ path, ...found })),
    )
    assert.ok(texts.length > 20)
    assert.deepEqual(
      texts.filter(({ lacks }) => lacks.length > 0),
      [],
    )
    const comments = sources.flatMap(({ path, code }) =>
      (code.match(COMMENTS) ?? []).flatMap((comment) =>
        kindLists(comment, SUBJECT_KINDS).map(({ list }) => `${path}: ${list}`),
      ),
    )
    assert.deepEqual(comments, IN_COMMENTS)
  })

  it('would be missed in a text', () => {
    const four = ['monitor', 'server', 'site', 'queue']
    const lacks = ['queue']
    assert.deepEqual(kindLists('of monitors, servers and\n * sites', four), [
      { list: 'monitors, servers and sites', lacks },
    ])
    assert.deepEqual(kindLists('a monitor, a server or a site', four), [
      { list: 'monitor, a server or a site', lacks },
    ])
    assert.deepEqual(kindLists('warnings of servers and sites', four), [])
    assert.deepEqual(
      kindLists('monitors, servers, queues and sites', four).flatMap((found) => found.lacks),
      [],
    )
  })

  it('would be found where they are listed', () => {
    assert.ok(listsByHand("const of = {\n  monitor: 'a',\n  server: 'b',\n  site: 'c',\n}"))
    assert.ok(listsByHand("['monitor', 'server', 'site']"))
    assert.ok(listsByHand('/^(monitor|server|site)-/'))
    assert.ok(listsByHand('<A kind="monitor" />\n<A kind="server" />\n<A kind="site" />'))
    assert.ok(listsByHand('({ monitor_ids, server_ids, site_ids }) => 1'))
    assert.ok(listsByHand('getMonitorStory()\ngetServerStory()\ngetSiteStory()'))
    assert.ok(!listsByHand("t('Monitors, servers and sites')"))
    assert.ok(!listsByHand("['monitor', 'server']"))
  })
})

describe('a kind that was just invented', () => {
  it('is named, chosen, covered, found and told of by its entries alone', async (t) => {
    const load = addInventedKind(temporaryFolder(t))

    const { SUBJECT_NAMES } = await load('src/core/maintenance/subject-kind.ts')
    assert.equal(SUBJECT_NAMES.queue, 'Queues')

    // A maintenance window covers it.
    const { countChosen, MaintenanceWindow } = await load('src/core/maintenance/window.ts')
    const settings = {
      kind: 'one_off',
      name: 'Move',
      starts_at: '2027-01-01T00:00:00Z',
      ends_at: '2027-01-01T02:00:00Z',
    }
    const window = MaintenanceWindow.parse({ ...settings, queue_ids: [7] })
    assert.deepEqual([window.queue_ids, window.site_ids, countChosen(window)], [[7], [], 1])
    assert.ok(!MaintenanceWindow.safeParse({ ...settings, queue_ids: [1, 2, 3, 4, 5, 6] }).success)
    const { teamCover } = await load('src/core/maintenance/team-cover.ts')
    const cover = teamCover([{ ...window, id: 1 }])
    const during = new Date('2027-01-01T01:00Z')
    assert.deepEqual(
      [cover.queue.applies(7, during), cover.queue.applies(8, during), cover.site.applies(7, during)],
      [true, false, false],
    )

    // Its incident alerts somebody, who acknowledges it by a link.
    const { AlertEvent } = await load('src/core/alerting/alert.ts')
    assert.ok(AlertEvent.options.includes('queue.down'))
    assert.equal(AlertEvent.options.at(-1), 'test')
    const { addressees } = await load('src/core/alerting/alert-routing.ts')
    const contact = { contactId: 3, attached: true, notifyOnDown: true, notifyOnRecovery: false }
    assert.deepEqual(addressees([contact], 'queue.down'), [contact])
    assert.deepEqual(addressees([contact], 'queue.recovery'), [])
    const { linkText, readLink } = await load('src/core/on-call/acknowledgement.ts')
    const link = { kind: 'queue', incidentId: 5, contactId: 3 }
    assert.deepEqual(readLink(`${linkText(link)}-${'0'.repeat(32)}`)?.link, link)
    const { IncidentKind } = await load('src/core/monitors/incidents/incident-kind.ts')
    assert.equal(IncidentKind.parse('queue'), 'queue')
    const { INCIDENT_LIST } = await load('src/core/lists/incident-list.ts')
    assert.equal(INCIDENT_LIST.query.parse({ queue: '7' }).queue, 7)
    const { DELIVERY_LIST } = await load('src/core/lists/delivery-list.ts')
    assert.equal(DELIVERY_LIST.query.parse({ queue_incident: '7' }).queue_incident, 7)

    // A status page shows it.
    const { stateOfSubject } = await load('src/core/status-pages/component-state.ts')
    const standing = { kind: 'queue', status: 'degraded', isActive: true, inWindow: false }
    assert.equal(stateOfSubject(standing), 'degraded')
    const { Component } = await load('src/core/status-pages/status-page.ts')
    const { layoutFaults } = await load('src/core/status-pages/layout.ts')
    const component = Component.parse({ name: 'Orders', monitor_id: null, queue_id: 7 })
    const known = { groups: [], components: [], monitors: [], servers: [], sites: [] }
    const layout = { items: [{ component }] }
    assert.deepEqual(layoutFaults(layout, { ...known, queues: [7] }), {})
    assert.deepEqual(
      layoutFaults(layout, { ...known, queues: [] })['items.0.component.queue_id']?.map(english),
      ['must be the ID of a queue of the team, or null, got 7'],
    )

    // Operations derive from the contract's entry.
    const { allOperations } = await load('src/contract/contract.ts')
    assert.equal(allOperations.getQueuePolicy.path, '/queues/{queue}/escalation-policy')
    assert.equal(
      allOperations.acknowledgeQueueIncident.path,
      '/queue-incidents/{queueIncident}/acknowledgement',
    )
    assert.match(allOperations.setQueueTags.summary, /a queue/)

    // Screens say it, and lead to it.
    const { pageOfSubject, sayKindCounts } = await load('dashboard/data/subjects/shown-kinds.ts')
    assert.equal(pageOfSubject(1, { kind: 'queue', id: 7 }).to, '/teams/$team/queues/$queue')
    assert.deepEqual(
      sayKindCounts((kind: string) => (kind === 'queue' ? 2 : 0)),
      ['2 queues'],
    )
    const { readTeamReportSearch, subjectsOf } = await load('dashboard/data/reports/report-search.ts')
    assert.deepEqual(subjectsOf(readTeamReportSearch({ queues: '7,8' })).queue_ids, [7, 8])
  })
})
