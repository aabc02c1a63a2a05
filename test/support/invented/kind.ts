import { copySources } from './copied-sources.ts'

/** The entries of an invented kind of subject: queues of messages. */
const CORE_ENTRY = "\n  queue: { name: phrase('Queues'), letter: 'q', maxInWindow: 5, warnsVisitors: true },"
const SUBJECT_ENTRY = "\n  queue: { name: 'Queue', path: '/queues/{queue}', words: 'a queue' },"
const INCIDENT_ENTRY = `
  queue: { name: 'QueueIncident', path: '/queue-incidents/{queueIncident}', words: 'an incident of a queue' },`
const SHOWN_ENTRY = `
  queue: {
    icon: Server,
    list: '/teams/$team/queues',
    page: '/teams/$team/queues/$queue',
    adds: '/teams/$team/queues/new',
    lists: 'listQueues',
    gets: 'getQueue',
    hint: 'host_name',
    words: { one: phrase('Queue'), counted: phrase('{count, plural, one {# queue} other {# queues}}') },
  },`

/** Adds the kind to a copy of the sources, in its entries alone. The function that it returns loads a module of the copy. */
export function addInventedKind(folder: string) {
  const { insert, load } = copySources(folder)
  const core = 'src/core/maintenance/subject-kind.ts'
  insert(core, '] as const\nexport type SubjectKind', ", 'queue'")
  insert(core, '\n} as const satisfies Record<SubjectKind, KindEntry>', CORE_ENTRY)
  const contract = 'src/contract/subjects.ts'
  insert(contract, '\n} as const satisfies CalledByKind\n\n/** The incidents', SUBJECT_ENTRY)
  insert(contract, '\n} as const satisfies CalledByKind\n\n/** `get', INCIDENT_ENTRY)
  const shown = 'dashboard/data/subjects/shown-kinds.ts'
  insert(shown, '\n} as const satisfies Record<SubjectKind, ShownKind>', SHOWN_ENTRY)
  return load
}
