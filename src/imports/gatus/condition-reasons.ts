import { type Said, said } from '../../core/language/said.ts'

/** Conditions that are not checked here, and why: the report and docs/moving-in.md say the same. */
export const UNASKED = {
  '[IP]': said('there are no assertions about addresses'),
  '[DOMAIN_EXPIRATION]': said('add a domain monitor, which watches until when a domain is registered'),
  '[DNS_RCODE]': said('a dns monitor is up with NOERROR and a record alone'),
  '[CONTEXT].name': said('an expectation of a step compares with no value that an earlier one captured'),
  'age([BODY].time)': said('there are no assertions about the age of a value'),
  '[BODY].list[*]': said('there are no assertions about each element of a list'),
  'len([BODY])': said('it counts elements of a list, or bytes of another body: assert the one that it is'),
  '[BODY].a == [BODY].b': said('there are no assertions about two values of an answer'),
  '[BODY].a == {"b": 1}': said('there are no assertions about whole objects and lists: assert each value'),
  'a text or path that is too long': said('an assertion cannot be that long'),
  'of a DNS record': said('records are compared as a whole, or by a part of them, and each by itself'),
  'of a message': said('a message has no headers'),
  'of an endpoint other than HTTP': said('only http and keyword monitors read that of an answer'),
  'anything else': said('it compares nothing that can be understood'),
} as const satisfies Record<string, Said>

/** Differences of a condition that comes over; the docs say the same. */
export const OTHERWISE = {
  withoutNumber: said('it held without a number, too: here it fails then'),
  wholeDays: said('days are whole ones here, so that it may fail up to a day earlier'),
} as const satisfies Record<string, Said>

/** Differences of an endpoint whose monitor has no assertions. */
export const WITHOUT_ASSERTIONS = {
  warns: said(
    'was down when its certificate expired soon: here that is a warning, and down is an expired one',
  ),
  timesOut: said('was down when it was slow: here it is down after its timeout'),
} as const satisfies Record<string, Said>
