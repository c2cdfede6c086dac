<?php
require __DIR__ . '/client.php';

$recipient = ['name' => 'Ada Peeters', 'line1' => 'Rue Haute 1', 'zip' => '1000', 'city' => 'Bruxelles', 'country' => 'BE'];
$letter = ['zone' => 'NATIONAL', 'serviceType' => 'registered', 'pages' => 1];

$quote = bluejay('POST', '/v1/quote', $letter);
$mail = bluejay('POST', '/v1/mails', $letter + [
    'recipients' => [$recipient],
    'files' => [['s3Key' => upload('scripts/examples/letter.pdf', 'application/pdf')]],
    'externalId' => 'order-' . bin2hex(random_bytes(8)),
    'maxTotalCents' => $quote['totalCents'],
]);
echo "{$mail['mailJobId']} is {$mail['status']}, for {$quote['totalCents']} cents\n";

bluejay('POST', "/v1/mails/{$mail['mailJobId']}/simulate", ['to' => 'delivered']);
echo bluejay('GET', "/v1/mails/{$mail['mailJobId']}")['status'], "\n";
