import { formatInstant } from '../../core/instant.ts'
import { REPORT_INTERVAL_SECONDS } from '../../core/servers/server.ts'
import type { Implementation } from '../implementation.ts'

export const getServerHistory: Implementation<'getServerHistory'> = {
  async perform(_services, { query: { from, to } }) {
    return {
      body: {
        data: {
          from: formatInstant(from),
          to: formatInstant(to),
          step_seconds: REPORT_INTERVAL_SECONDS,
          series: [],
        },
      },
    }
  },
}
