import { after } from 'node:test'
import { startTestService, type TestService } from './service.ts'

let started: Promise<TestService> | undefined

/**
 * The service that all files of test/service-api ask: with the role `api` alone, and believing its proxy. It is
 * started when the first of them asks for it, and ends with the last test. Each file makes its own teams and people.
 */
export function apiService(): Promise<TestService> {
  started ??= startTestService({ ROLES: 'api', TRUST_PROXY: '1' })
  return started
}

after(async () => (await started)?.close())
