import { phrase } from '../language/phrase.ts'
import { AUDIT_KIND_WORDS, AuditKind } from '../teams/audit-kind.ts'
import { list, oneOf, PERIOD, searched } from './list.ts'
import { integerParameter } from './parameter.ts'

/** The log of a team's changes, newest first. */
export const AUDIT_LIST = list({
  filters: {
    search: searched(phrase('Person, name or field')),
    /** The id of the person who made the change. */
    person: { schema: integerParameter(1) },
    kind: oneOf(AuditKind, { label: phrase('Kind'), words: AUDIT_KIND_WORDS, any: phrase('Everything') }),
    from: PERIOD,
    to: PERIOD,
  },
})
