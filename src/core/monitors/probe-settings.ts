import type { HttpMethod } from './monitor.ts'
import type { ProbedType } from './monitor-types.ts'

/** What a probe needs to know of a monitor, secrets in the clear. Fields a type does not use are ignored. */
export type ProbeSettings = {
  type: ProbedType
  url: string
  port: number | null
  httpMethod: HttpMethod
  expectedStatusCodes: number[]
  expectedKeyword: string | null
  requestTimeoutSeconds: number
  intervalSeconds: number
  requestHeaders: Record<string, string> | null
  username: string | null
  password: string | null
  sslExpiryWarningDays: number
}
