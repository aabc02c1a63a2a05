import { RecordId } from '../../../src/core/record-id.ts'
import { keptSearch } from '../../data/kept-search.ts'
import { isWithin } from '../../data/zoom.ts'

/** How far the setup is, and what it made: a reload goes on there. */
export type WelcomeSearch = {
  step?: number | undefined
  monitor?: number | undefined
  contact?: number | undefined
  /** The delivery of the test that was sent last. */
  test?: number | undefined
}

export const MAX_WELCOME_STEP = 3

export function readWelcomeSearch({ step, ...made }: Record<string, unknown>): WelcomeSearch {
  const idOf = (value: unknown) => RecordId.safeParse(value).data
  return keptSearch<WelcomeSearch>(['step', 'monitor', 'contact', 'test'], {
    step: isWithin(step, 1, MAX_WELCOME_STEP) ? step : undefined,
    monitor: idOf(made.monitor),
    contact: idOf(made.contact),
    // Ids of deliveries can be larger.
    test: isWithin(made.test, 1, Number.MAX_SAFE_INTEGER) ? made.test : undefined,
  })
}
