import { PageHead } from '../parts/panel.tsx'

export default function ApiTokens() {
  return <PageHead title="API tokens" />
}
