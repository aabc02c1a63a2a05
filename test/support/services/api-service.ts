import { shareService } from './shared-service.ts'

/** The service that all files of test/service-api ask: with the role `api` alone, and believing its proxy. */
export const apiService = shareService({ ROLES: 'api', TRUST_PROXY: '1', DATABASE_CONNECTIONS: '4' })
