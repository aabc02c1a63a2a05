import * as z from 'zod'
import { IMPORT_KINDS } from '../core/moving-in/kinds.ts'
import type { Outcome } from '../core/moving-in/outcome.ts'
import { MAX_UPLOAD_BYTES, UploadQuery } from '../core/moving-in/upload.ts'
import { one } from './envelope.ts'
import type { Operation } from './operation.ts'

export const movingInOperations = {
  readExport: {
    internal: true,
    method: 'POST',
    path: '/exports',
    summary: 'Read what another service exported; nothing is created by it',
    access: 'write',
    query: UploadQuery,
    takesFiles: true,
    maxBodyBytes: MAX_UPLOAD_BYTES,
    status: 200,
    output: one(z.object({ service: z.enum(IMPORT_KINDS), outcome: z.custom<Outcome>() })),
    errors: ['conflict', 'contentTooLarge', 'validationFailed', 'unavailable'],
  },
} as const satisfies Record<string, Operation & { internal: true }>
