import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { list, oneOf, searched } from './list.ts'

/** Whose end it is. */
export const ExpiryOf = z.enum(['certificate', 'domain'])

export const EXPIRY_LIST = list({
  filters: {
    search: searched(phrase('Name')),
    of: oneOf(ExpiryOf, {
      label: phrase('Kind'),
      words: { certificate: phrase('Certificates'), domain: phrase('Domains') },
    }),
  },
})
