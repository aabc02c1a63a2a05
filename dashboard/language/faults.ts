import { createSayer } from '../../src/core/language/sayer.ts'
import { interpret, LANGUAGE, t } from './language.ts'

/** Says refusals of the API in the language of this page. */
export const { sayMessage, sayRule, sayFault, sayFaultOf, sayFaults } = createSayer({
  language: LANGUAGE,
  t,
  interpret,
})
