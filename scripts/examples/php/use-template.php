<?php
require __DIR__ . '/client.php';

$text = "# Your invoice ((invoice))\n\nDear ((name)),\n\nPlease pay **((amount)) EUR** within 14 days.";
$template = bluejay('POST', '/v1/templates', ['name' => 'Payment reminder', 'language' => 'en', 'text' => $text]);

$recipient = ['name' => 'Ada Peeters', 'line1' => 'Rue Haute 1', 'zip' => '1000', 'city' => 'Bruxelles', 'country' => 'BE'];
$mail = bluejay('POST', '/v1/mails', [
    'zone' => 'NATIONAL',
    'serviceType' => 'standard',
    'templateId' => $template['templateId'],
    'mergeVariables' => ['invoice' => '2026-0012', 'name' => 'Ada Peeters', 'amount' => '120.00'],
    'recipients' => [$recipient],
    'externalId' => 'reminder-' . bin2hex(random_bytes(8)),
]);
echo "{$mail['mailJobId']} is {$mail['status']}, {$mail['pages']} page\n";
