import * as z from 'zod'
import { DELIVERY_STATE_WORDS, DeliveryState } from '../alerting/delivery-state.ts'
import { phrase } from '../language/phrase.ts'
import { ofEachField, ofEachKind } from '../maintenance/subject-kind.ts'
import { CHOSEN, list, OF_SUBJECT, oneOf, PERIOD } from './list.ts'
import { integerParameter } from './parameter.ts'

const WIDTH = 'minmax(0,16rem)'
/** The pages of incidents ask for these; the address of the log has none. */
const OF_INCIDENT = { schema: integerParameter(1), address: z.never(), field: null } as const

export const DELIVERY_LIST = list({
  filters: {
    contact: { schema: integerParameter(1), width: WIDTH },
    state: oneOf(
      DeliveryState,
      { label: phrase('Status'), words: DELIVERY_STATE_WORDS, any: phrase('All statuses') },
      WIDTH,
    ),
    ...ofEachKind(() => ({ ...OF_SUBJECT, width: WIDTH })),
    /** Only those that began at this time or after it. */
    from: PERIOD,
    /** Only those that began before it. */
    to: PERIOD,
    ...ofEachField('_incident', () => OF_INCIDENT),
    ids: { ...CHOSEN, address: z.never() },
  },
})
