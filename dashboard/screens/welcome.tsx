import { PageHead } from '../parts/panel.tsx'

export default function Welcome() {
  return <PageHead title="Welcome" />
}
