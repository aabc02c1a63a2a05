import { processScope } from '../scope.ts'
import type { AskedService } from './asked-service.ts'
import { startServiceHere } from './service-here.ts'

/**
 * A service for all files that run in one process, and inside it: started when the first of them asks for it, ended
 * after the last test. Each file makes teams and people of its own, named as in no other file; none of them stops it.
 */
export function shareService(environment: Record<string, string>): () => Promise<AskedService> {
  let started: Promise<AskedService> | undefined
  async function start() {
    const service = await startServiceHere(environment)
    processScope.after(() => service.close())
    return service
  }
  return () => {
    started ??= start()
    return started
  }
}
