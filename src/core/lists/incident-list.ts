import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { ofEachKind, SUBJECT_NAMES } from '../maintenance/subject-kind.ts'
import { IncidentFilterState, IncidentKind } from '../monitors/incidents/incident-kind.ts'
import { list, MAX_CHOSEN, OF_SUBJECT, oneOf, searched } from './list.ts'
import { idsParameter, instantParameter } from './parameter.ts'

/** An address has days of the reader: `2026-11-21`. */
const period = { schema: instantParameter(), address: z.iso.date(), field: 'period', width: '9rem' } as const

const INCIDENT_KEY = /^(monitor|server|site)-[1-9]\d{0,8}$/

export const INCIDENT_LIST = list({
  filters: {
    search: searched(phrase('Name or cause')),
    state: { schema: IncidentFilterState, field: null },
    kind: oneOf(IncidentKind, { label: phrase('Kind'), words: SUBJECT_NAMES }, '8rem'),
    ...ofEachKind(() => OF_SUBJECT),
    /** Only those that lasted at this time, or began after it. */
    from: period,
    /** Only those that began before it. */
    to: period,
    /** Those of the list that are selected, or were on a page a moment ago: `monitor-12,site-3`. */
    ids: { schema: idsParameter(MAX_CHOSEN, (id) => INCIDENT_KEY.test(id)), field: null },
  },
})
