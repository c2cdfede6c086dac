<?php
require __DIR__ . '/client.php';

$list = tempnam(sys_get_temp_dir(), 'list');
file_put_contents($list, "Name;Street;Postcode;City\nAda Peeters;Rue Haute 1;1000;Bruxelles\nJan Jans;Kerkstraat 2;9000;Gent\n");
$bulk = bluejay('POST', '/v1/bulk', [
    'file' => ['s3Key' => upload($list, 'text/csv', '/v1/bulk/uploads')],
    'files' => [['s3Key' => upload('scripts/examples/letter.pdf', 'application/pdf')]],
    'serviceType' => 'standard',
]);
unlink($list);

$waitFor = function (string $status) use (&$bulk): void {
    while ($bulk['status'] !== $status) {
        sleep(1);
        $bulk = bluejay('GET', "/v1/bulk/{$bulk['bulkId']}");
        if (in_array($bulk['status'], ['needs_mapping', 'needs_attention', 'paused', 'cancelled', 'failed'], true)) {
            throw new RuntimeException("The bulk is {$bulk['status']}.");
        }
    }
};
$waitFor('ready');
echo "{$bulk['rows']['valid']} of {$bulk['rows']['total']} rows are valid\n";
bluejay('POST', "/v1/bulk/{$bulk['bulkId']}/confirm", ['maxTotalCents' => 1_000]);
$waitFor('sent');
echo "{$bulk['progress']['sent']} letters\n";
