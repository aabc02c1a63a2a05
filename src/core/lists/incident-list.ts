import { phrase } from '../language/phrase.ts'
import { ofEachKind, SUBJECT_KINDS, SUBJECT_NAMES } from '../maintenance/subject-kind.ts'
import { IncidentFilterState, IncidentKind } from '../monitors/incidents/incident-kind.ts'
import { list, MAX_CHOSEN, OF_SUBJECT, oneOf, PERIOD, searched } from './list.ts'
import { idsParameter } from './parameter.ts'

const INCIDENT_KEY = new RegExp(`^(${SUBJECT_KINDS.join('|')})-[1-9]\\d{0,8}$`)

export const INCIDENT_LIST = list({
  filters: {
    search: searched(phrase('Name or cause')),
    state: { schema: IncidentFilterState, field: null },
    kind: oneOf(IncidentKind, { label: phrase('Kind'), words: SUBJECT_NAMES }, '8rem'),
    ...ofEachKind(() => OF_SUBJECT),
    /** Only those that lasted at this time, or began after it. */
    from: PERIOD,
    /** Only those that began before it. */
    to: PERIOD,
    /** Those of the list that are selected, or were on a page a moment ago: `monitor-12,site-3`. */
    ids: { schema: idsParameter(MAX_CHOSEN, (id) => INCIDENT_KEY.test(id)), field: null },
  },
})
