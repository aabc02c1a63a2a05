import { before, describe } from 'node:test'
import { suiteScope } from '../../support/scope.ts'
import { startTestService, type TestService } from '../../support/services/service.ts'
import { describeNoDescriptors } from './descriptors.ts'
import { describeStandstill } from './standstill.ts'

const DESCRIPTORS = 128

export function describeOwnTrouble(): void {
  describe('trouble of its own', { concurrency: 1 }, () => {
    const scope = suiteScope()
    let service: TestService

    before(async () => {
      service = await startTestService({}, ['/bin/sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh'])
      scope.after(() => service.close())
    })

    describeStandstill(() => service)
    describeNoDescriptors(() => service, DESCRIPTORS)
  })
}
