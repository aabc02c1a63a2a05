import { shareService } from './shared-service.ts'

/**
 * The service that all files of test/service-whole ask, and those of test/browser that need no other: with every role,
 * in a region, and believing its proxy.
 */
export const wholeService = shareService({ REGION: 'lon', TRUST_PROXY: '1', DATABASE_CONNECTIONS: '4' })
