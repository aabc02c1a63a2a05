import { PageHead } from '../parts/panel.tsx'

export default function Deliveries() {
  return <PageHead title="Delivery log" />
}
