<?php
require __DIR__ . '/client.php';

$key = upload('scripts/examples/letter.pdf', 'application/pdf');
$check = bluejay('POST', '/v1/preflight', ['files' => [['s3Key' => $key]]]);
while ($check['status'] === 'running') {
    sleep(1);
    $check = bluejay('GET', "/v1/preflight/{$check['preflightId']}");
}
echo $check['canBePrinted'] ? "It can be printed.\n" : "It cannot be printed.\n";
foreach ($check['findings'] as $finding) {
    echo "{$finding['severity']} {$finding['code']}: {$finding['message']}\n";
}
