import * as z from 'zod'
import { issueOf, said } from '../language/said.ts'
import { IMPORT_KINDS } from './kinds.ts'

/** All files of an upload together. The command line takes larger databases. */
export const MAX_UPLOAD_MIB = 64
export const MAX_UPLOAD_BYTES = MAX_UPLOAD_MIB * 1_024 * 1_024
export const MAX_UPLOADED_FILES = 100
/** Reading one is given up after this, at the command line, too. */
export const MAX_READING_SECONDS = 60

const SIZES = /^\d{1,9}(,\d{1,9})*$/

/** The sizes of the files in bytes, in the order in which they are sent, one directly behind the other. */
const FileSizes = z.string().transform((text, context) => {
  const sizes = SIZES.test(text) ? text.split(',').map(Number) : []
  if (sizes.length > 0 && sizes.length <= MAX_UPLOADED_FILES) return sizes
  const fault = said('must be the sizes of 1 to {max} files, separated by commas', {
    max: MAX_UPLOADED_FILES,
  })
  context.issues.push({ ...issueOf(fault), input: text })
  return z.NEVER
})

export const UploadQuery = z.object({ service: z.enum(IMPORT_KINDS), sizes: FileSizes })
