import { after } from 'node:test'
import { startTestService, type TestService } from './service.ts'

/**
 * A service for all files that run in one process: started when the first of them asks for it, ended with the last
 * test. Each file makes teams and people of its own, named as in no other file.
 */
export function shareService(environment: Record<string, string>): () => Promise<TestService> {
  let started: Promise<TestService> | undefined
  after(async () => (await started)?.close())
  return () => {
    started ??= startTestService(environment)
    return started
  }
}
