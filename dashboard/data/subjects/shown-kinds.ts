import { Activity, Globe, type LucideIcon, Server } from 'lucide-react'
import type { OperationId } from '../../../src/contract/contract.ts'
import { phrase } from '../../../src/core/language/phrase.ts'
import {
  ofEachKind,
  SUBJECT_KINDS,
  type SubjectKind,
  type SubjectRef,
} from '../../../src/core/maintenance/subject-kind.ts'
import { t } from '../../language/language.ts'

/** An entry says how the screens show a kind of subject, find its records and lead to them. */
type ShownKind = {
  icon: LucideIcon
  /** Addresses: its list, the page of one, and that of a new one. */
  list: string
  page: string
  adds: string
  lists: OperationId
  gets: OperationId
  /** The field that tells two of one name apart in a list. */
  hint: string
  words: Record<Word, string>
}

type Word =
  | 'one'
  | 'oneInText'
  | 'counted'
  | 'unnamed'
  | 'view'
  | 'add'
  | 'addOne'
  | 'all'
  | 'selected'
  | 'find'
  | 'findBy'
  | 'noneFound'
  | 'found'
  | 'foundOf'
  | 'addFound'
  | 'tags'
  | 'tagsChanged'
  | 'deleted'

export const SHOWN_KINDS = {
  monitor: {
    icon: Activity,
    list: '/teams/$team/monitors',
    page: '/teams/$team/monitors/$monitor',
    adds: '/teams/$team/monitors/new',
    lists: 'listMonitorRows',
    gets: 'getMonitor',
    hint: 'target',
    words: {
      one: phrase('Monitor'),
      oneInText: phrase('monitor'),
      counted: phrase('{count, plural, one {# monitor} other {# monitors}}'),
      unnamed: phrase('Monitor {id}'),
      view: phrase('<wide>View </wide><word>monitor</word>'),
      add: phrase('Add monitors'),
      addOne: phrase('Add monitor'),
      all: phrase('All monitors'),
      selected: phrase('Selected monitors'),
      find: phrase('Find monitors'),
      findBy: phrase('Name or address'),
      noneFound: phrase('No matching monitors.'),
      found: phrase('{count, number} found'),
      foundOf: phrase('{shown, number} of {count, number} shown'),
      addFound: phrase('Add all {count, number}'),
      tags: phrase('{count, plural, one {Tags of # monitor} other {Tags of # monitors}}'),
      tagsChanged: phrase(
        '{count, plural, one {Tags of # monitor changed.} other {Tags of # monitors changed.}}',
      ),
      deleted: phrase('Its monitor {name} is deleted. Restore the monitor to show this on the page again.'),
    },
  },
  server: {
    icon: Server,
    list: '/teams/$team/servers',
    page: '/teams/$team/servers/$server',
    adds: '/teams/$team/servers/new',
    lists: 'listServers',
    gets: 'getServer',
    hint: 'host_name',
    words: {
      one: phrase('Server'),
      oneInText: phrase('server'),
      counted: phrase('{count, plural, one {# server} other {# servers}}'),
      unnamed: phrase('Server {id}'),
      view: phrase('<wide>View </wide><word>server</word>'),
      add: phrase('Add servers'),
      addOne: phrase('Add server'),
      all: phrase('All servers'),
      selected: phrase('Selected servers'),
      find: phrase('Find servers'),
      findBy: phrase('Name or host name'),
      noneFound: phrase('No matching servers.'),
      found: phrase('{count, plural, one {# server found} other {# servers found}}'),
      foundOf: phrase('{shown, number} of {count, number} servers shown'),
      addFound: phrase('{count, plural, one {Add all servers} other {Add all # servers}}'),
      tags: phrase('{count, plural, one {Tags of # server} other {Tags of # servers}}'),
      tagsChanged: phrase(
        '{count, plural, one {Tags of # server changed.} other {Tags of # servers changed.}}',
      ),
      deleted: phrase('Its server {name} is deleted: it is no longer on the page.'),
    },
  },
  site: {
    icon: Globe,
    list: '/teams/$team/sites',
    page: '/teams/$team/sites/$site',
    adds: '/teams/$team/sites/new',
    lists: 'listSites',
    gets: 'getSite',
    hint: 'url',
    words: {
      one: phrase('Site'),
      oneInText: phrase('site'),
      counted: phrase('{count, plural, one {# site} other {# sites}}'),
      unnamed: phrase('Site {id}'),
      view: phrase('<wide>View </wide><word>site</word>'),
      add: phrase('Add sites'),
      addOne: phrase('Add site'),
      all: phrase('All sites'),
      selected: phrase('Selected sites'),
      find: phrase('Find sites'),
      findBy: phrase('Name or address'),
      noneFound: phrase('No matching sites.'),
      found: phrase('{count, plural, one {# site found} other {# sites found}}'),
      foundOf: phrase('{shown, number} of {count, number} sites shown'),
      addFound: phrase('{count, plural, one {Add all sites} other {Add all # sites}}'),
      tags: phrase('{count, plural, one {Tags of # site} other {Tags of # sites}}'),
      tagsChanged: phrase('{count, plural, one {Tags of # site changed.} other {Tags of # sites changed.}}'),
      deleted: phrase('Its site {name} is deleted: it is no longer on the page.'),
    },
  },
} as const satisfies Record<SubjectKind, ShownKind>

/** Where a link to a subject leads. */
export function pageOfSubject(team: number, { kind, id }: SubjectRef) {
  return { to: SHOWN_KINDS[kind].page, params: { team: String(team), ...ofEachKind(() => String(id)) } }
}

/** The same as an address. */
export function pathOfSubject(team: number, { kind, id }: SubjectRef): string {
  return SHOWN_KINDS[kind].page.replace('$team', String(team)).replace(/\$\w+$/, String(id))
}

/** `3 monitors`. */
export function sayKindCount(kind: SubjectKind, count: number): string {
  return t(SHOWN_KINDS[kind].words.counted, { count })
}

/** `3 monitors`, `1 server`: the kinds of which there are any. */
export function sayKindCounts(countOf: (kind: SubjectKind) => number): string[] {
  return SUBJECT_KINDS.filter((kind) => countOf(kind) > 0).map((kind) => sayKindCount(kind, countOf(kind)))
}
