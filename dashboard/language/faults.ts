import { createSayer } from '../../src/core/language/sayer.ts'
import { LANGUAGE, t } from './language.ts'

/** Says refusals of the API in the language of this page. */
export const { say, sayFault, sayFaultOf, sayFaults, sayRefusal, wordFor } = createSayer({
  language: LANGUAGE,
  t,
})
